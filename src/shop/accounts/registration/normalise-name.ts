const MAX_KEY_LENGTH = 254;

/**
 * What may exist only once of a username or an email address: spelled in compatibility form (NFKC) and lower case,
 * without invisible characters, blanks collapsed. Null for a name of which nothing is left or that grows too long.
 */
export function normaliseName(name: string): string | null {
  let key = name;
  // What one step leaves may concern another: lowered letters compose anew, and so do those around an invisible one.
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

/** A username in the form of an address must be one's own address, since one may sign in by either. */
export function isSomeoneElsesAddress(usernameKey: string, emailKey: string): boolean {
  return usernameKey.includes('@') && usernameKey !== emailKey;
}
