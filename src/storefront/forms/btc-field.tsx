import type { ComponentProps } from 'react';
import { AmountField, readAmount } from './amount-field.tsx';

const BTC = { decimals: 8 } as const;
/** Total supply. */
const MAX_BTC = 21_000_000;

interface BtcFieldProps extends Omit<ComponentProps<typeof AmountField>, 'rules' | 'minimum' | 'maximum' | 'problem'> {
  readonly minimum?: number;
}

/** An amount in bitcoin. */
export const BtcField = ({ minimum = 0, ...field }: BtcFieldProps) => (
  <AmountField
    {...field}
    rules={BTC}
    minimum={minimum}
    maximum={MAX_BTC}
    problem="Enter an amount in BTC, such as 0.0125"
  />
);

/** The amount of a `BtcField`; null if it is empty. */
export const readBtc = (data: FormData, name: string): number | null => readAmount(data, name, BTC);
