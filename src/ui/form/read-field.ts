/** Text of a form field; empty if missing or a file. */
export function readField(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
