/**
 * Formats rows of text as a table whose first row is the header. Columns of numbers are aligned to
 * the right, others to the left.
 */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.map((_, column) => {
    const [, ...cells] = rows.map(row => row[column] ?? '');
    return {
      width: Math.max(...rows.map(row => row[column]?.length ?? 0)),
      isNumeric: cells.every(text => /^([-+]?[\d.].*)?$/.test(text)),
    };
  });
  const cell = (text: string, column: number): string => {
    const { width, isNumeric } = columns![column]!;
    return isNumeric || /^\d/.test(text) ? text.padStart(width) : text.padEnd(width);
  };
  return rows.map(row => `${row.map(cell).join('  ').trimEnd()}\n`).join('');
}
