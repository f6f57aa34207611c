import { call } from '#src/storefront/call.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { SENT } from './reset-failure.ts';

export const NOT_SENT_LOG = 'Requesting a reset code failed';

/** Requests a code and shows a toast. */
export async function requestCode(email: string): Promise<void> {
  await call('POST /users/request-password-reset', { body: { email } });
  showToast('success', SENT);
}
