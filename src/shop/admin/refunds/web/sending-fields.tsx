import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { AmountField, readAmount } from '#src/storefront/forms/amount-field.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { readText } from '../../kit/form-text.ts';

const FEE_RATE = { decimals: 3 } as const;

/** What `SendingFields` sends with a new refund. */
export function readSending(data: FormData) {
  const rate = readAmount(data, 'fee_rate', FEE_RATE);
  return {
    fee_paid_by: readText(data, 'fee_paid_by') === 'buyer' ? 'buyer' : 'shop',
    ...(readText(data, 'checked') === '' ? {} : { checked: true }),
    from: readText(data, 'from') === 'any-wallet' ? 'any-wallet' : 'coins',
    ...(rate === null ? {} : { fee_rate: rate }),
  } as const;
}

/** How a new refund is sent, and who pays its fee. */
export function SendingFields({ forgotten }: { readonly forgotten: RefundsOfOrder['may_be_forgotten'] }) {
  return (
    <>
      <Select label="Network fee" name="fee_paid_by">
        <option value="shop">Paid by the shop</option>
        <option value="buyer">Deducted from the refund</option>
      </Select>
      <Select label="Paid from" name="from" hint="The shop can spend only coins in its ledger.">
        <option value="coins">The shop’s coins (PSBT to sign)</option>
        <option value="any-wallet">Any other wallet</option>
      </Select>
      <AmountField
        label="Fee rate in sat/vB (optional)"
        name="fee_rate"
        rules={FEE_RATE}
        minimum={1}
        maximum={1000}
        problem="Enter a fee rate from 1 to 1000, such as 2.5"
        hint="Leave empty to use the present estimate."
      />
      {forgotten !== null && (
        <Checkbox name="checked" value="yes" required>
          The shop was restored from a backup of <Moment at={forgotten.backup_at} shows="moment" />. I have checked in
          the wallet that this order was not refunded after that.
        </Checkbox>
      )}
    </>
  );
}
