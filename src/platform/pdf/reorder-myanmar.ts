/** A consonant with those stacked below it, its medial consonants, and the vowel E. */
const SYLLABLE = /([\u1000-\u102A\u103F\u104E](?:\u1039[\u1000-\u1021])*)([\u103B-\u103E]*)(\u1031?)/g;
const MEDIAL_RA = '\u103C';

/** Burmese text with the signs that stand before their consonant at that place: fontkit does not move them. */
export const reorderMyanmar = (text: string): string =>
  text.replaceAll(SYLLABLE, (_, consonant: string, medials: string, vowel: string) => {
    const ra = medials.includes(MEDIAL_RA) ? MEDIAL_RA : '';
    return vowel + ra + consonant + medials.replaceAll(MEDIAL_RA, '');
  });
