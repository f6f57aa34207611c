/**
 * A typed or pasted code or address as it was meant: without invisible characters and outer blanks, and with wide
 * letters and digits as the usual ones (NFKC).
 */
export const foldTyped = (text: string): string =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .trim();
