import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { describeLimitation } from '#src/shop/payments/chain-sync/source-limitations.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { LookUp } from './look-up.tsx';
import { Rescans } from './rescans.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const POLL_MS = 5_000;
const TXID = /^[0-9a-f]{64}$/;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Chain · Back office', matches) },
  { name: 'description', content: 'Look up a transaction, and rescan blocks.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/chain', 'payments');
  const parameters = new URL(args.request.url).searchParams;
  const txid = (parameters.get('txid') ?? '').trim().toLowerCase().slice(0, 200);
  const isTxid = TXID.test(txid);
  const [chain, found] = await Promise.all([
    call('GET /support/chain').catch(() => null),
    isTxid ? call('GET /payments/transactions/{txid}', { params: { txid } }).catch(() => null) : null,
  ]);
  return { chain, txid, isTxid, found, from: (parameters.get('from') ?? '').slice(0, 10) };
}

/** OPS-25: where staff look up a payment that its buyer misses. */
export default function ChainPage() {
  const { chain, txid, isTxid, found, from } = useLoaderData<typeof loader>();
  const isRunning = chain?.rescans.some((rescan) => rescan.state === 'open') ?? false;
  // A look-up calls the node, so it is not polled.
  useReloadEvery(isRunning || txid === '' ? POLL_MS : null);
  return (
    <AdminFrame title="Chain">
      {chain === null ? (
        <ErrorState title="The chain status could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <>
          <p className="muted tabular measure">
            {chain.tip_height === null ? 'No block has been read yet.' : `Newest block: ${chain.tip_height}.`}
            {chain.reconciled_at !== null && (
              <span>
                {' '}
                Last sync <Moment at={chain.reconciled_at} shows="moment" />.
              </span>
            )}
          </p>
          {chain.chain === 'down' && (
            <Notice tone="bad">
              The chain source does not respond. Until it does, no payment is detected and no order expires. See the log
              for the reason.
            </Notice>
          )}
          {chain.limitations.map((one) => (
            <Notice key={one} tone="bad">
              {describeLimitation(one)}
            </Notice>
          ))}
        </>
      )}
      <LookUp txid={txid} isTxid={isTxid} found={found} onRetry={() => void reloadPage()} />
      {chain !== null && <Rescans rescans={chain.rescans} tip={chain.tip_height} from={from} />}
    </AdminFrame>
  );
}
