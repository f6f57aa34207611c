/** Chapters as files and lists of changes write them. */
import { foldTyped } from '#src/shop/fold-typed.ts';
import { MAX_CHAPTERS, MAX_FIGURE, MAX_SENTENCE, MAX_TITLE } from '../chapters/chapters.ts';
import type { Chapter } from '../chapters/chapters.ts';
import { isRecord, isText, parseJson } from './parse-texts.ts';
import { accept, reject, shorten } from './parsed.ts';
import type { Parsed } from './parsed.ts';

const EXAMPLE = '[{"picture": "/images/phone.avif", "figure": "22 hours", "title": "Video", "sentence": "All day."}]';
const TEXTS = [
  ['figure', MAX_FIGURE],
  ['title', MAX_TITLE],
  ['sentence', MAX_SENTENCE],
] as const;
const NAMES: readonly string[] = ['picture', ...TEXTS.map(([name]) => name)];

export const formatChapters = (chapters: readonly Chapter[]): string =>
  chapters.length === 0 ? '' : JSON.stringify(chapters);

export const showChapters = (chapters: readonly Chapter[]): string =>
  chapters
    .map(({ figure, title, sentence, picture }) => `${figure} ${title}: ${sentence}${picture ? ` (${picture})` : ''}`)
    .join('; ') || 'none';

function parseChapter(value: unknown): Parsed<Chapter> {
  if (!isRecord(value)) return reject(`This is not JSON such as ${EXAMPLE}`);
  const unknown = Object.keys(value).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return reject(`“${shorten(unknown)}” is none of ${NAMES.join(', ')}`);
  const texts: Record<string, string> = {};
  for (const [name, maximum] of TEXTS) {
    const text = value[name];
    const isFilled = isText(text, maximum) && foldTyped(text) !== '';
    if (!isFilled) return reject(`The ${name} of each chapter is a text of at most ${maximum} characters`);
    texts[name] = text.trim();
  }
  const { picture = null } = value;
  if (picture !== null && typeof picture !== 'string') return reject('picture is the path of a picture');
  const { figure = '', title = '', sentence = '' } = texts;
  return accept({ picture: picture === '' ? null : picture, figure, title, sentence });
}

/** Chapters as a JSON list; the picture of each may be missing. */
export function parseChapters(text: string): Parsed<readonly Chapter[]> {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return reject(`This is not JSON such as ${EXAMPLE}`);
  if (parsed.length > MAX_CHAPTERS) return reject(`A product has at most ${MAX_CHAPTERS} chapters`);
  const chapters: Chapter[] = [];
  for (const value of parsed) {
    const chapter = parseChapter(value);
    if (!chapter.ok) return chapter;
    chapters.push(chapter.value);
  }
  return accept(chapters);
}
