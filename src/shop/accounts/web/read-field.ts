/** The text of a field; none for a field that is not there, or that holds a file. */
export function readField(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
