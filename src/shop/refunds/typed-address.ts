/** Characters of a typed refund address. More than any address has, so that a seed phrase gets its warning. */
export const MAX_ADDRESS_CHARACTERS = 2_000;
