/** Rules for new usernames. Existing names stay valid. */

/** Scripts that one name may mix, by the highly restrictive profile of Unicode TR 39. */
const SCRIPT_SETS: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]*$/u,
];

/** Alphabets with confusable letters. */
const ALPHABETS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

const ALLOWED = /^[\p{L}\p{M}\p{Nd} ._-]+$/u;
const MAX_MARKS = /\p{M}{3}/u;
/** Text that mail programs turn into a link: a known prefix or domain ending. */
const LINK =
  /(?:^|[ _-])(?:www|https?)(?:[ ._-]|$)|xn--|[\p{L}\p{Nd}]\.(?:com|net|org|info|biz|xyz|top|shop|store|online|site|club|app|dev|link|live|vip|win|bid|work|click|icu|buzz|loan|tech|space|website|market|finance|pro|name|mobi|gov|edu|[a-z]{2})(?=$|[ ._-])/iu;

/** Words that would make a name look like the shop. */
const RESERVED_WORDS = ['admin', 'administrator', 'moderator', 'staff', 'support', 'helpdesk', 'official'];
/** A shorter name of a shop is part of too many other names. */
const MIN_RESERVED_PART = 5;

/** Confusable letters and digits, after NFKD and without marks. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑ4',
  b: 'ьв8βƅ',
  c: 'сϲ',
  d: 'ԁɗ',
  e: 'еєε3ҽ',
  f: 'ғƒ',
  g: 'ɡց9',
  h: 'һհнη',
  j: 'јϳ',
  k: 'кκ',
  l: '1iıіιӏɩյ',
  m: 'м',
  n: 'пոи',
  o: '0оοօσ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гɾ',
  s: 'ѕ5ꜱ',
  t: 'тτ7',
  u: 'υսцʋ',
  v: 'ѵν',
  w: 'ԝωшա',
  x: 'хχ',
  y: 'уγү',
  z: 'ᴢ2',
};
const SHAPE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([shape, letters]) => Array.from(letters, (letter) => [letter, shape] as const)),
);

/** Reduces a name to the shapes of its letters: look-alike names have the same skeleton. */
export function computeSkeleton(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{Nd}]/gu, '');
  const shapes = Array.from(letters, (letter) => SHAPE_OF.get(letter) ?? letter).join('');
  return shapes.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const RESERVED: ReadonlySet<string> = new Set(RESERVED_WORDS.map(computeSkeleton));

/** Stored form of a name: NFKC, blanks collapsed. */
export const normaliseUsername = (name: string): string => name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();

/**
 * Why a name is refused, as a predicate of "Username"; null if accepted.
 * @param staffNames names of staff members except the caller's own
 * @param shopName empty if the shop has none
 */
export function checkUsername(name: string, staffNames: readonly string[], shopName: string): string | null {
  const tidy = normaliseUsername(name);
  if (!ALLOWED.test(tidy) || !/^[\p{L}\p{Nd}]/u.test(tidy) || MAX_MARKS.test(tidy))
    return 'may contain letters, digits, spaces and . _ - and must start with a letter or digit';
  if (LINK.test(tidy)) return 'must not contain a web address';
  if (!isOfOneScript(tidy)) return 'must not mix alphabets';
  const skeleton = computeSkeleton(tidy);
  const isReserved = tidy.split(/[ ._-]+/).some((word) => RESERVED.has(computeSkeleton(word)));
  const isStaffs = staffNames.some((staffName) => computeSkeleton(staffName) === skeleton);
  return isReserved || isStaffs || RESERVED.has(skeleton) || isLikeShop(skeleton, computeSkeleton(shopName))
    ? 'is not available'
    : null;
}

const isLikeShop = (skeleton: string, shop: string): boolean =>
  shop.length < MIN_RESERVED_PART ? skeleton === shop : skeleton.includes(shop);

function isOfOneScript(name: string): boolean {
  if (SCRIPT_SETS.some((set) => set.test(name))) return true;
  const letters = Array.from(name).filter((character) => /\p{L}/u.test(character));
  const alphabet = ALPHABETS.find((pattern) => letters.some((letter) => pattern.test(letter)));
  return alphabet === undefined || letters.every((letter) => alphabet.test(letter));
}
