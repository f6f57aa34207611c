import { useState } from 'react';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { call } from '#src/storefront/call.ts';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import styles from '../../kit/part.module.css';
import { listUnitsFields, readChoice } from './line-choice.ts';
import { ChosenLines, describeChoice, LineFields, NOTHING, readLines } from './line-fields.tsx';
import { readSending, SendingFields } from './sending-fields.tsx';

interface LineRefundFormProps {
  readonly orderId: string;
  readonly lines: RefundsOfOrder['lines'];
  readonly returns: RefundsOfOrder['returns'];
  readonly address: { readonly address: string; readonly confirmed: boolean };
  readonly forgotten: RefundsOfOrder['may_be_forgotten'];
}

/** PAY-13: a refund of units of lines. The order stays paid. */
export function LineRefundForm({ orderId, lines, returns, address, forgotten }: LineRefundFormProps) {
  const fields = listUnitsFields(lines);
  const [choice, setChoice] = useState(NOTHING);
  return (
    <Section title="Refund items" level={3} size={16} className={styles.part}>
      <ConfirmedAction
        button="Refund items"
        question="Refund these items?"
        renderMeaning={(data) => (
          <>
            <ChosenLines lines={lines} returns={returns} choice={readChoice(data, fields)} fields={fields} />
            <p>It goes to the address that {address.confirmed ? 'the buyer confirmed' : 'staff entered'}:</p>
            <p>
              <WalletAddress address={address.address} />
            </p>
            <p>Nothing is sent until you sign the transaction in your wallet.</p>
          </>
        )}
        confirm="Create refund"
        done="Refund created. Sign its transaction to send it"
        onConfirm={async (data) => {
          await call('POST /orders/{id}/refunds', {
            params: { id: orderId },
            body: { covers: 'lines', lines: readLines(data, fields), ...readSending(data) },
          });
          setChoice(NOTHING);
        }}
      >
        <LineFields lines={lines} fields={fields} onChoose={setChoice} />
        <SendingFields forgotten={forgotten} />
        <output>{describeChoice({ lines, returns }, choice)}</output>
      </ConfirmedAction>
    </Section>
  );
}
