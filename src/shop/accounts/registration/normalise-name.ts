const MAX_KEY_LENGTH = 254;

/**
 * Unique key of a username or email address: NFKC, lower case, without invisible characters, blanks
 * collapsed. Null if the result is empty or too long.
 */
export function normaliseName(name: string): string | null {
  let key = name;
  // Lowercasing and removing characters can create new compositions, so the steps are repeated.
  for (let pass = 0; pass < 3; pass += 1) {
    key = key
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\s+/gu, ' ')
      .trim();
  }
  return key.length > 0 && key.length <= MAX_KEY_LENGTH ? key : null;
}

/**
 * A username that is an email address must be the user's own, because both are accepted at login.
 */
export function isSomeoneElsesAddress(usernameKey: string, emailKey: string): boolean {
  return usernameKey.includes('@') && usernameKey !== emailKey;
}
