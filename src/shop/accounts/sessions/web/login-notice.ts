/** What the login page says after another form led to it without scripts. */
const NOTICES = {
  registered: 'Registration successful! Please log in.',
  'registered-with-cart': 'Registration successful! Please log in to access your existing cart items.',
  'password-reset': 'Password has been reset successfully',
  'account-created': 'The account was created. Please log in.',
  joined: 'You belong to the team. Please log in.',
  'session-ended': 'Your session has ended. Log in again to continue. What you entered is still here.',
  'login-expired': 'The login has expired. Enter your password again.',
} as const;

export type LoginNotice = keyof typeof NOTICES;

export const getNoticeText = (notice: LoginNotice): string => NOTICES[notice];

const isNotice = (text: string): text is LoginNotice => Object.hasOwn(NOTICES, text);

/** Text of the query parameter `notice`; null without one. */
export function readNotice(parameters: URLSearchParams): string | null {
  const notice = parameters.get('notice') ?? '';
  return isNotice(notice) ? NOTICES[notice] : null;
}

/** The login page with the same return path. */
export function createLoginPath(
  requested: string | null,
  parameter: { notice: LoginNotice } | { step: 'code' },
): string {
  const parameters = new URLSearchParams({ ...(requested === null ? {} : { to: requested }), ...parameter });
  return `/login?${parameters}`;
}
