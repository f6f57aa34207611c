/** Characters of a reason that staff give. */
export const MAX_REASON = 500;

/** What a field of a form holds, without blanks around it. */
export function readText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
