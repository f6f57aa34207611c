export interface TextPart {
  /** Where it begins. */
  readonly at: number;
  readonly text: string;
  /** Whether the text is an address to follow. */
  readonly isLink: boolean;
}

/** Takes a plain text apart into addresses of the web and what stands between them. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const [index, part] of text.split(/(\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).entries()) {
    if (part !== '') parts.push({ at, text: part, isLink: index % 2 === 1 });
    at += part.length;
  }
  return parts;
}
