/**
 * A finding or diagnostic whose files below `folder` have relative names. Such data are plain
 * values, in which every file is called `file`.
 */
export function withRelativeFiles<Data>(data: Data, folder: string): Data {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    key === 'file' && typeof value === 'string' && value.startsWith(prefix)
      ? value.slice(prefix.length)
      : value,
  ) as Data;
}
