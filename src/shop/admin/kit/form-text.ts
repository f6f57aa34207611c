/** Maximum length of a reason. */
export const MAX_REASON = 500;

/** Text of a form field, trimmed. */
export function readText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
