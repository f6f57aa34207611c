import { Link } from 'react-router';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { call } from '#src/storefront/call.ts';
import { useLegalTexts } from '#src/storefront/layout/legal-link.tsx';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { DeleteAccount } from './delete-account.tsx';
import styles from './your-data.module.css';
import { createFileSlug } from '#src/shop/shop-settings/file-slug.ts';
import { useShop } from '#src/storefront/shop-identity.ts';

interface YourDataProps {
  readonly user: { readonly id: string; readonly username: string };
}

/** Downloads the personal data of the user, or deletes the account. */
export function YourData({ user }: YourDataProps) {
  const isAlive = useHydrated();
  const { name = '' } = useShop();
  const hasPrivacy = useLegalTexts().includes('Privacy');
  const { isBusy, run } = useCallAction({
    log: 'the personal data were not downloaded',
    describe: (error) => showToast('error', 'Your data could not be downloaded', describeOutage(error)),
  });

  const download = async () => {
    const data = await call('GET /users/{id}/data', { params: { id: user.id } });
    downloadFile(`${createFileSlug(name)}-data.json`, JSON.stringify(data, null, 2));
  };

  return (
    <div className={styles.parts}>
      <div className={styles.part}>
        <p>
          All your data in one file: account, sessions, cart, orders and messages.
          {hasPrivacy && (
            <span>
              {' '}
              See <Link to="/privacy">Privacy</Link> for why we store it.
            </span>
          )}
        </p>
        <Button variant="secondary" isBusy={isBusy || !isAlive} onClick={() => void run(download)}>
          Download your data
        </Button>
      </div>
      <DeleteAccount user={user} />
    </div>
  );
}

/** Saves a file through a temporary link. */
function downloadFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
