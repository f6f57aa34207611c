export interface TextPiece {
  /** Index of its first character. */
  readonly at: number;
  readonly text: string;
  /** Whether no line may end within it. */
  readonly isUnbroken: boolean;
}

/** With the marks beside it. Longer words, such as addresses of pages, may break. */
const MAX_LENGTH = 20;
const HYPHENATED = /^[^\p{L}\p{N}]*[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+[^\p{L}\p{N}]*$/u;

/** Splits a text into short words with hyphens, such as '13-inch' and order numbers, and the texts between them. */
export function splitUnbroken(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const part of text.split(/(\s+)/)) {
    const isUnbroken = part.length <= MAX_LENGTH && HYPHENATED.test(part);
    const last = pieces.at(-1);
    if (last !== undefined && !last.isUnbroken && !isUnbroken)
      pieces.splice(-1, 1, { ...last, text: last.text + part });
    else if (part !== '') pieces.push({ at, text: part, isUnbroken });
    at += part.length;
  }
  return pieces;
}
