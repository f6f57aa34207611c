import type { WithdrawableLine } from '../contract.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { nameUnitsField } from './withdrawal-form.ts';
import type { WithdrawalDraft } from './withdrawal-form.ts';

interface KnownOrder {
  readonly order_number: string;
  readonly name: string;
  readonly lines: readonly WithdrawableLine[];
}

interface WithdrawalFieldsProps {
  /** Of a link or an account; null: it is typed. */
  readonly order: KnownOrder | null;
  /** What was typed before. */
  readonly draft: WithdrawalDraft | null;
  readonly refused: FormFailure | null;
}

type MessageOf = (name: string) => string | null | undefined;

interface PartProps {
  readonly draft: WithdrawalDraft | null;
  readonly messageOf: MessageOf;
}

/** The first step: who withdraws from what, and where the acknowledgement goes. */
export function WithdrawalFields({ order, draft, refused }: WithdrawalFieldsProps) {
  const messageOf: MessageOf = (name) => refused?.problems[name];
  return (
    <form method="post" noValidate>
      <Stack gap={24}>
        {refused !== null && (
          <Notice role="alert" tone="bad">
            <p>{refused.text ?? 'Check the marked fields.'}</p>
          </Notice>
        )}
        {order === null ? <NamedOrder {...{ draft, messageOf }} /> : <Units order={order} draft={draft} />}
        <Declarant name={order?.name} {...{ draft, messageOf }} />
        <FormActions>
          <Button type="submit" name="step" value="preview">
            Continue
          </Button>
        </FormActions>
        <p className="muted small">Nothing is sent yet: you see your statement first.</p>
        {/* Enter presses the first button of a form, so this one is the last. */}
        {order === null && (
          <Section title="Only some items?" size={24} gap={12}>
            <p className="muted">
              With number and address you withdraw from everything in the order. A link, which we send to that address,
              lets you choose.
            </p>
            <p>
              <Button type="submit" name="step" value="link" variant="secondary">
                Send me a link to choose items
              </Button>
            </p>
          </Section>
        )}
      </Stack>
    </form>
  );
}

const NamedOrder = ({ draft, messageOf }: PartProps) => (
  <Section title="Your order" size={24} gap={16}>
    <Field
      label="Order number"
      name="order_number"
      message={messageOf('order_number')}
      autoComplete="off"
      maxLength={40}
      required
      defaultValue={draft?.order_number}
      hint="It is in every mail about the order."
    />
    <Field
      label="Mail address of the order"
      name="order_email"
      message={messageOf('order_email')}
      type="email"
      autoComplete="email"
      maxLength={254}
      required
      defaultValue={draft?.order_email}
      hint="The address of the account with which you ordered."
    />
  </Section>
);

const Declarant = ({ draft, messageOf, name }: PartProps & { readonly name: string | undefined }) => (
  <Section title="You" size={24} gap={16}>
    <Field
      label="Your name"
      name="name"
      message={messageOf('name')}
      autoComplete="name"
      maxLength={120}
      required
      defaultValue={draft?.name ?? name}
    />
    <Field
      label="Another mail address for the acknowledgement (optional)"
      name="acknowledgement_email"
      message={messageOf('acknowledgement_email')}
      type="email"
      autoComplete="off"
      maxLength={254}
      defaultValue={draft?.acknowledgement_email}
      hint="The acknowledgement always goes to the mail address of the order."
    />
    <TextArea
      label="Reason (optional)"
      name="reason"
      message={messageOf('reason')}
      rows={3}
      maxLength={2000}
      defaultValue={draft?.reason}
      hint="You need none. It helps us to improve."
    />
  </Section>
);

const describeUnits = ({ shipped, unshipped }: WithdrawableLine): string => {
  if (shipped === 0) return `Up to ${unshipped}, not shipped yet. 0 keeps the item.`;
  if (unshipped === 0) return `Up to ${shipped}, shipped. 0 keeps the item.`;
  return `Up to ${shipped + unshipped}: ${unshipped} not shipped yet, ${shipped} shipped. 0 keeps the item.`;
};

const Units = ({ order, draft }: { readonly order: KnownOrder; readonly draft: WithdrawalDraft | null }) => (
  <Section title={`Order ${order.order_number}`} size={24} gap={16}>
    {order.lines.map((line) => (
      <Field
        key={line.position}
        label={`Units of ${line.name}`}
        name={nameUnitsField(line.position)}
        type="number"
        inputMode="numeric"
        min={0}
        max={line.shipped + line.unshipped}
        defaultValue={draft?.units[line.position] ?? line.shipped + line.unshipped}
        hint={describeUnits(line)}
      />
    ))}
  </Section>
);
