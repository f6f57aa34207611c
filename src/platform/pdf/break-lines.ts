/** Splits a text into clusters with directions, breaks it into lines, and orders them as they are read. */
import bidiFactory from 'bidi-js';

const bidi = bidiFactory();
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** What a reader sees as one character. */
export interface Cluster {
  /** What is drawn: in text from right to left the mirror image of a bracket. */
  readonly text: string;
  /** The same as it was written. */
  readonly written: string;
  /** Position in the paragraph. */
  readonly index: number;
  /** Level of the Unicode bidirectional algorithm: odd from right to left. */
  readonly level: number;
}

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]+$/u;
/** They reverse text against its direction, which no name needs. */
const OVERRIDES = /[\u202D\u202E]/g;
/** More than one mark, and invisible characters between them. */
const MARKS = /\p{M}[\p{M}\p{Default_Ignorable_Code_Point}]+/gu;

/** Marks of one letter. More would run over the lines above and below. */
const MAX_MARKS = 8;
/** Marks of letters of alphabets, such as accents, which are stacked. */
const MAX_ACCENTS = 3;
/** The same mark on one letter. */
const MAX_SAME_MARKS = 2;

const ACCENT = /(?!\p{Default_Ignorable_Code_Point})\p{Script=Inherited}/u;

/** The marks of one letter that are printed. */
function limitMarks(marks: string): string {
  const kept: string[] = [];
  for (const mark of marks) {
    const isFull =
      kept.filter((one) => one === mark).length >= MAX_SAME_MARKS ||
      kept.filter((one) => ACCENT.test(one)).length >= MAX_ACCENTS ||
      kept.length >= MAX_MARKS;
    if (!isFull || INVISIBLE.test(mark)) kept.push(mark);
  }
  return kept.join('');
}

/** What of a text is printed: composed, with few marks per letter, without tabs and overrides of the direction. */
export const toPrintable = (text: string): string =>
  text.normalize('NFC').replaceAll('\t', ' ').replaceAll(OVERRIDES, '').replaceAll(MARKS, limitMarks);

export const listClusters = (text: string): string[] =>
  Array.from(clusters.segment(text), ({ segment }) => segment).filter((cluster) => !INVISIBLE.test(cluster));

/** The clusters of a printable paragraph in reading order. Its direction is that of its first letter. */
export function splitParagraph(paragraph: string): Cluster[] {
  const embedding = bidi.getEmbeddingLevels(paragraph, 'auto');
  return Array.from(clusters.segment(paragraph), ({ index, segment }) => {
    const level = embedding.levels[index] ?? 0;
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(segment) : null;
    return { text: mirrored ?? segment, written: segment, index, level };
  }).filter(({ text }) => !INVISIBLE.test(text));
}

// Scripts whose words are not separated by spaces.
const UNSPACED =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const NO_BREAK_BEFORE = /^[\p{Pe}\p{Pf}\p{Po}\u30FC\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087]/u;
const NO_BREAK_AFTER = /[\p{Ps}\p{Pi}]$/u;

/** Positions of a paragraph where a line may begin. */
function findBreaks(paragraph: string): Set<number> {
  const breaks = new Set<number>();
  let before = '';
  for (const { index, segment } of words.segment(paragraph)) {
    const isSpaced = /[\s-]$/u.test(before);
    const isUnspaced = UNSPACED.test(before.slice(-1)) || UNSPACED.test(segment.slice(0, 1));
    if (
      (isSpaced && !/^\s/u.test(segment)) ||
      (isUnspaced && !NO_BREAK_BEFORE.test(segment) && !NO_BREAK_AFTER.test(before))
    ) {
      breaks.add(index);
    }
    before = segment;
  }
  return breaks;
}

/** Breaks a paragraph into lines that are at most as wide as given, if need be within words. */
export function breakLines<C extends Cluster>(
  paragraph: string,
  {
    clusters: all,
    measure,
    width,
  }: {
    readonly clusters: readonly C[];
    readonly measure: (line: readonly C[]) => number;
    readonly width: number;
  },
): C[][] {
  const breaks = findBreaks(paragraph);
  const lines: C[][] = [];
  let line: C[] = [];
  let word: C[] = [];
  const endLine = (): void => {
    lines.push(line);
    line = [];
  };
  const addWord = (): void => {
    if (line.length > 0 && measure(trimEnd([...line, ...word])) > width) endLine();
    if (measure(trimEnd(word)) <= width) line.push(...word);
    else {
      for (const cluster of word) {
        if (line.length > 0 && measure([...line, cluster]) > width) endLine();
        line.push(cluster);
      }
    }
    word = [];
  };
  for (const cluster of all) {
    if (breaks.has(cluster.index)) addWord();
    word.push(cluster);
  }
  addWord();
  endLine();
  return lines.map((one) => trimEnd(one));
}

function trimEnd<C extends Cluster>(line: readonly C[]): C[] {
  return line.slice(0, line.findLastIndex(({ text }) => text.trim() !== '') + 1);
}

/** Runs of a line from left to right: rule L2 of the Unicode bidirectional algorithm. */
export function orderRuns<R extends { readonly level: number }>(runs: readonly R[]): R[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed());
      start = end + 1;
    }
  }
  return ordered;
}
