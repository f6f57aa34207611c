import { accept, reject, shorten } from '../editing/parsed.ts';
import type { Parsed } from '../editing/parsed.ts';

/** TRUE and FALSE as spreadsheets write them in other languages, and yes and no. */
const WORDS: readonly (readonly [isTrue: string, isFalse: string])[] = [
  ['true yes y 1', 'false no n 0'],
  ['wahr ja', 'falsch nein'],
  ['vrai oui', 'faux non'],
  ['vero sì si', 'falso'],
  ['verdadero sí', ''],
  ['verdadeiro sim', 'não'],
  ['waar', 'onwaar nee'],
  ['prawda tak', 'fałsz nie'],
  ['sant sann', 'falskt usann nej nei'],
  ['sand', 'falsk'],
  ['tosi kyllä', 'epätosi ei'],
  ['doğru evet', 'yanlış hayır'],
  ['pravda ano', 'nepravda ne'],
  ['igaz igen', 'hamis nem'],
  ['adevărat da', 'fals nu'],
  ['истина да', 'ложь нет'],
  ['істина так', 'хибність ні'],
];

/** Turkish capitals have other dots, so that dots do not count. */
const fold = (text: string): string =>
  text.toLowerCase().normalize('NFC').replaceAll('\u0307', '').replaceAll('ı', 'i');

const FLAGS: ReadonlyMap<string, boolean> = new Map(
  WORDS.flatMap(([isTrue, isFalse]) => [
    ...isTrue.split(' ').map((word) => [fold(word), true] as const),
    ...isFalse.split(' ').map((word) => [fold(word), false] as const),
  ]).filter(([word]) => word !== ''),
);

export function parseFlag(text: string): Parsed<boolean> {
  const flag = FLAGS.get(fold(text));
  return flag === undefined ? reject(`“${shorten(text)}” is neither TRUE nor FALSE`) : accept(flag);
}
