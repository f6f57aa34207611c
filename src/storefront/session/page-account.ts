/** The account that the open page is shown for, while another one may log in in another tab: they share the session. */
import { ACCOUNT_KEY, readStored, writeStored } from '#src/ui/browser/browser-storage.ts';

/** Id; empty until known, and for guests. */
let pageAccount = '';
let isBlocked = false;

/** @param id empty after a logout */
export const setPageAccount = (id: string): void => void (pageAccount = id);

/** Blocks the page while the browser is logged in with an account other than the page's. */
export function checkPageAccount(): void {
  const account = readStored(ACCOUNT_KEY);
  const isOther = Boolean(pageAccount && account && account !== pageAccount);
  if (isOther === isBlocked) return;
  isBlocked = isOther;
  import('./other-account-dialog.tsx').then(
    ({ showOtherAccountDialog }) => showOtherAccountDialog(isBlocked),
    () => location.reload(),
  );
}

/** Called with the account of the session. A login without scripts left it unknown. */
export function notePageAccount(id: string): void {
  pageAccount ||= id;
  if (!readStored(ACCOUNT_KEY)) writeStored(ACCOUNT_KEY, id);
  checkPageAccount();
}
