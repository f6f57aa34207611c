import { diffArrays } from 'diff';

export type ComparedPart =
  | { readonly kind: 'added' | 'removed' | 'same'; readonly lines: readonly string[] }
  /** Lines that both texts have, and that are not shown. */
  | { readonly kind: 'left-out'; readonly count: number };

export interface ComparedTexts {
  /** In order; empty if the texts are the same. */
  readonly parts: readonly ComparedPart[];
  readonly added: number;
  readonly removed: number;
}

/** Shown before and after each change. */
const CONTEXT_LINES = 2;
/** Texts with more changes are compared as a whole, since the time grows with the square. */
const MAX_CHANGES = 2000;

const splitLines = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** Leaves out the middle of lines that both texts have. */
function shorten(lines: readonly string[], isFirst: boolean, isLast: boolean): readonly ComparedPart[] {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const count = lines.length - head - tail;
  // A note takes a line itself.
  if (count <= 1) return [{ kind: 'same', lines }];
  const parts: readonly ComparedPart[] = [
    { kind: 'same', lines: lines.slice(0, head) },
    { kind: 'left-out', count },
    { kind: 'same', lines: lines.slice(lines.length - tail) },
  ];
  return parts.filter((part) => part.kind === 'left-out' || part.lines.length > 0);
}

/** The lines that a text has and another one has not, with some of those around them. */
export function compareLines(before: string, after: string): ComparedTexts {
  const [from, to] = [splitLines(before), splitLines(after)];
  const changes = diffArrays(from, to, { maxEditLength: MAX_CHANGES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  const count = (kind: 'added' | 'removed'): number =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.value.length : 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  if (added + removed === 0) return { parts: [], added, removed };
  const parts = changes.flatMap((change, at): readonly ComparedPart[] => {
    if (change.added) return [{ kind: 'added', lines: change.value }];
    if (change.removed) return [{ kind: 'removed', lines: change.value }];
    return shorten(change.value, at === 0, at === changes.length - 1);
  });
  return { parts, added, removed };
}
