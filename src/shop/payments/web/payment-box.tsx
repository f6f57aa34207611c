import { formatExactBtc, groupDigits, formatRate, formatSats } from '../ledger/exact-amounts.ts';
import { CopyButton } from '#src/ui/copy-button.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { QrCode } from '#src/ui/qr-code.tsx';
import type { DrawnQr } from '#src/ui/draw-qr.ts';
import styles from './payment-box.module.css';
import { readAmount, toQrContent } from './qr-content.ts';

interface PaymentBoxProps {
  readonly address: string;
  readonly bip21: string;
  /** What is asked for is the rest of an amount. */
  readonly isRest: boolean;
  /** What the whole order costs, as text. */
  readonly usd: string;
  /** USD per BTC; null when it is not known. */
  readonly rate: number | null;
  /** Path of a page with this payment that needs no login: null while it is not known, left out on that page itself. */
  readonly link?: string | null;
  /** Until when the amount holds. */
  readonly until: string;
  /** The code of this URI, where the server has drawn it. */
  readonly drawn?: DrawnQr | undefined;
}

/** Everything that a wallet wants: the code, the amount, the address. */
export function PaymentBox({ address, bip21, isRest, usd, rate, link, until, drawn }: PaymentBoxProps) {
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
        <a className={styles.wallet} href={bip21}>
          Open in wallet
        </a>
        <CopyButton text={bip21} contentName="payment link" label="Copy payment link" variant="quaternary" />
      </div>
      <dl className={styles.pay}>
        <div>
          <dt>{isRest ? 'Still missing' : 'Amount'}</dt>
          <dd>
            <p className={styles.line}>
              <strong className={styles.amount}>{btc} BTC</strong>
              <CopyButton text={btc} contentName="amount" />
            </p>
            <p className={styles.line}>
              <span className={styles.sats}>
                {groupDigits(sats)} sats{!isRest && ` · $${usd}`}
              </span>
              <CopyButton text={sats} contentName="sats" />
            </p>
          </dd>
        </div>
        <div>
          <dt>Wallet address</dt>
          <dd>
            <p className={styles.line}>
              <span className={styles.address}>
                {[...address.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => (
                  <span key={index}>{group}</span>
                ))}
              </span>
              <CopyButton text={address} contentName="wallet address" />
            </p>
          </dd>
        </div>
        <div>
          <dt>Rate</dt>
          <dd>
            <p className={styles.small}>
              {rate !== null && <>1 BTC = ${formatRate(rate)}, </>}
              {rate === null ? 'Holds' : 'holds'} until <Moment at={until} shows="time" />
            </p>
          </dd>
        </div>
      </dl>
      <div className={styles.note}>
        <p className={styles.hint}>
          Paying from an exchange? It may deduct its fee from what it sends: see to it that the whole amount arrives.
        </p>
        {link !== undefined && <LinkElsewhere path={link} />}
      </div>
    </div>
  );
}

/** The payment on another device; it is known in the browser only, which knows its own address. */
function LinkElsewhere({ path }: { readonly path: string | null }) {
  const url = path === null ? null : new URL(path, window.location.href).href;
  return (
    <p className={styles.line}>
      <span className={styles.hint}>Paying on another device? This link needs no login and shows nothing of you.</span>
      <CopyButton text={url} contentName="page link" label="Copy page link" />
    </p>
  );
}
