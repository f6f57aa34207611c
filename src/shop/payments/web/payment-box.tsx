import type { ReactNode } from 'react';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc, formatSats } from '../ledger/exact-amounts.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { QrCode } from '#src/ui/copy/qr-code.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { DrawnQr } from '#src/ui/copy/draw-qr.ts';
import { WalletAddress } from './wallet-address.tsx';
import styles from './payment-box.module.css';
import { readAmount, toQrContent } from './qr-content.ts';

interface PaymentBoxProps {
  readonly address: string;
  readonly bip21: string;
  /** The amount is the rest of a partly paid order. */
  readonly isRest: boolean;
  /** Order total in USD, as text. */
  readonly usd: string;
  /** USD per BTC; null if unknown. */
  readonly rate: number | null;
  /** Path of the pay page, which needs no login: null while unknown, omitted on that page. */
  readonly link?: string | null;
  /** End of the payment window. */
  readonly until: string;
  /** The QR code, if rendered on the server. */
  readonly drawn?: DrawnQr | undefined;
  /** State of the payment, shown below the code. */
  readonly children: ReactNode;
}

/** QR code, amount and address for a wallet; on phones and laptops all three are in view without scrolling. */
export function PaymentBox({ address, bip21, isRest, usd, rate, link, until, drawn, children }: PaymentBoxProps) {
  const amount = readAmount(bip21) ?? 0;
  const btc = formatExactBtc(amount);
  const sats = formatSats(amount);
  return (
    <div className={styles.box}>
      <div className={styles.code}>
        <QrCode
          content={toQrContent(bip21)}
          label={`QR code: pay ${btc} BTC to ${address}`}
          link={bip21}
          copyLabel="QR code: copy the payment link"
          drawn={drawn}
        />
      </div>
      <dl className={styles.due}>
        <dt className="muted small">{isRest ? 'Still missing' : 'Amount'}</dt>
        <dd>
          <Row as="p" justify="between" rowGap={0} className={styles.line}>
            <strong translate="no" className={styles.amount}>
              {btc} BTC
            </strong>
            <CopyButton text={btc} contentName="amount" />
          </Row>
          <Row as="p" justify="between" rowGap={0} className={styles.line}>
            <span translate="no" className="muted tabular">
              {formatNumber(Number(sats))} sats{!isRest && <span>{` · $${usd}`}</span>}
            </span>
            <CopyButton text={sats} contentName="sats" variant="quaternary" />
          </Row>
        </dd>
      </dl>
      <a className={styles.wallet} href={bip21}>
        Open in wallet
      </a>
      <div className={styles.state}>{children}</div>
      <dl className={styles.to}>
        <dt className="muted small">Wallet address</dt>
        <dd>
          <Row justify="between" rowGap={0} className={styles.line}>
            <span className={styles.address}>
              <WalletAddress address={address} />
            </span>
            <CopyButton text={address} contentName="wallet address" />
          </Row>
        </dd>
      </dl>
      <div className={styles.note}>
        <Row as="p" justify="between" rowGap={0} className={styles.line}>
          <span className="muted small tabular">
            {rate !== null && <span translate="no">1 BTC = ${formatUsdAmount(rate)}, </span>}
            <span>{rate === null ? 'Rate valid' : 'valid'} until </span>
            <Moment at={until} shows="time" />
          </span>
          <CopyButton text={bip21} contentName="payment link" label="Copy payment link" variant="quaternary" />
        </Row>
        <p className="muted small">Paying from an exchange? It may deduct a fee: make sure the full amount arrives.</p>
        {link !== undefined && <LinkElsewhere path={link} />}
      </div>
    </div>
  );
}

/** Link to the payment on another device. It contains the origin of the page, which only the browser has. */
function LinkElsewhere({ path }: { readonly path: string | null }) {
  const isHydrated = useHydrated();
  const url = path === null || !isHydrated ? null : new URL(path, window.location.href).href;
  return (
    <Row as="p" justify="between" rowGap={0} className={styles.line}>
      <span className="muted small">
        Paying on another device? Anyone with this link can pay; it shows no personal details.
      </span>
      <CopyButton text={url} contentName="page link" label="Copy page link" variant="quaternary" />
    </Row>
  );
}
