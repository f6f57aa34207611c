import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { logError } from '#src/ui/browser/log-error.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import styles from './back-in-stock-button.module.css';

interface BackInStockButtonProps {
  /** Name of the product. */
  readonly name: string;
  readonly productId: string;
  /** One value of each property. */
  readonly valueIds: readonly string[];
}

const formatKey = (valueIds: readonly string[]): string => valueIds.toSorted().join();

/** OPS-10: customers ask for one mail when a sold-out variant can be ordered again. Guests get a link to log in. */
export function BackInStockButton(props: BackInStockButtonProps) {
  const { pathname, search } = useLocation();
  const isSignedIn = useSession((state) => state.isSignedIn);
  const { productId, valueIds } = props;
  // The page may change the chosen values: each variant has a button of its own.
  if (isSignedIn) return <AlertButton key={`${productId} ${formatKey(valueIds)}`} {...props} />;
  return (
    <Link to={`/login?to=${encodeURIComponent(pathname + search)}`} className={styles.link}>
      Log in to get a mail when it is back
    </Link>
  );
}

function AlertButton({ name, productId, valueIds }: BackInStockButtonProps) {
  // Null: none, as far as is known.
  const [alertId, setAlertId] = useState<string | null>(null);
  const { isBusy, failed, run } = useCallAction({ log: 'stock alert: not changed', describe: describeFailure });
  const chosen = formatKey(valueIds);

  useEffect(() => {
    const find = async (): Promise<void> => {
      const { stock_alerts: alerts } = await call('GET /stock-alerts');
      const found = alerts.find((one) => one.product_id === productId && formatKey(one.property_value_ids) === chosen);
      setAlertId(found?.id ?? null);
    };
    // Without the answer the button asks again, which changes nothing.
    find().catch((error: unknown) => logError('stock alerts: not loaded', error));
  }, [productId, chosen]);

  const act = async () => {
    if (alertId === null) {
      const body = { product_id: productId, property_value_ids: [...valueIds] };
      setAlertId((await call('POST /stock-alerts', { body })).id);
    } else {
      await call('DELETE /stock-alerts/{id}', { params: { id: alertId } });
      setAlertId(null);
    }
  };
  return (
    <div className={styles.alert}>
      <output className="muted small hide-empty">
        {failed ?? (alertId === null ? '' : 'We will email you once when it is back.')}
      </output>
      <Button variant="secondary" isBusy={isBusy} onClick={() => void run(act)}>
        <span>{alertId === null ? 'Email me when it is back' : 'Don’t email me'}</span>
        <span className="visually-hidden">: {name}</span>
      </Button>
    </div>
  );
}
