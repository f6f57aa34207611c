export interface TextPart {
  /** Index of its first character. */
  readonly at: number;
  readonly text: string;
  /** Whether the text is a URL. */
  readonly isLink: boolean;
}

/** Splits plain text into URLs and the text between them. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const [index, part] of text.split(/(\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).entries()) {
    if (part !== '') parts.push({ at, text: part, isLink: index % 2 === 1 });
    at += part.length;
  }
  return parts;
}
