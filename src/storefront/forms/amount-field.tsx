import type { ChangeEvent, ComponentProps } from 'react';
import { useEffect, useRef } from 'react';
import { parseAmount } from '#src/shop/parse-amount.ts';
import type { AmountRules } from '#src/shop/parse-amount.ts';
import { Field } from '#src/ui/fields/field.tsx';

interface AmountFieldProps extends Omit<ComponentProps<typeof Field>, 'ref' | 'value' | 'onChange' | 'inputMode'> {
  readonly rules: AmountRules;
  readonly minimum: number;
  readonly maximum: number;
  /** What to enter instead of something else. */
  readonly problem: string;
  /** Called with what was typed; null while it is no amount. */
  readonly onAmount?: (amount: number | null) => void;
}

const toNumber = (text: string, rules: AmountRules): number => {
  const parsed = parseAmount(text, rules);
  return parsed.ok ? Number(parsed.units) / 10 ** rules.decimals : Number.NaN;
};

function findProblem(text: string, { rules, minimum, maximum, problem }: AmountFieldProps): string {
  if (text.trim() === '') return '';
  const parsed = parseAmount(text, rules);
  if (!parsed.ok) return parsed.advice ?? problem;
  const amount = toNumber(text, rules);
  return amount >= minimum && amount <= maximum ? '' : problem;
}

/** An amount in a form that the browser checks: it shows beside the field why an amount is refused. */
export function AmountField(props: AmountFieldProps) {
  const { rules, minimum: _minimum, maximum: _maximum, problem: _problem, onAmount, ...field } = props;
  const input = useRef<HTMLInputElement>(null);
  const check = (): void => input.current?.setCustomValidity(findProblem(input.current.value, props));
  // It may be filled before the page is interactive.
  useEffect(check);
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    check();
    const amount = toNumber(currentTarget.value, rules);
    onAmount?.(Number.isNaN(amount) ? null : amount);
  };
  return <Field {...field} ref={input} inputMode="decimal" autoComplete="off" onChange={change} />;
}

/** The amount of an `AmountField`; null if it is empty. */
export function readAmount(data: FormData, name: string, rules: AmountRules): number | null {
  const text = data.get(name);
  return typeof text !== 'string' || text.trim() === '' ? null : toNumber(text, rules);
}
