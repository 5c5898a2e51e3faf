/** Rows of text as a table: the first column to the left, numbers to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? [];
  const cell = (text: string, column: number): string => {
    const width = widths[column]!;
    return /^[-+]?[\d.]/.test(text) ? text.padStart(width) : text.padEnd(width);
  };
  return rows.map(row => `${row.map(cell).join('  ').trimEnd()}\n`).join('');
}
