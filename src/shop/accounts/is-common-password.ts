/** The passwords that every guesser tries first, of at least six characters; compared without regard to case. */
const COMMON = new Set(
  `000000 111111 112233 121212 123123 123321 123456 1234567 12345678 123456789 1234567890 123qwe 1q2w3e 1q2w3e4r
  1qaz2wsx 555555 654321 666666 7777777 888888 987654321 aa123456 abc123 admin123 asdfgh asdfghjkl dragon football
  iloveyou letmein monkey passw0rd password password1 princess qwerty qwerty123 qwertyuiop sunshine welcome zxcvbnm`.split(
    /\s+/,
  ),
);

export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
