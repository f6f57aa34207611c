import { Fragment, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData, useNavigate } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwRedirect } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { PICTURE_FORMATS } from '#src/storefront/uploads/upload-file.ts';
import type { ReturnsOfOrder } from '../contract.ts';
import { MAX_PICTURE_MB, MAX_PICTURES } from '../file-limits.ts';
import { handPictures } from './handed-pictures.ts';

const CAUSE_TEXTS = { defect: 'It is defective or not as described', courtesy: 'I don’t want to keep it' } as const;
const MAX_REASON = 2_000;
const MB = 1024 * 1024;
/** The browser scales these down before it sends them. */
const SCALABLE = /^image\/(?:jpeg|png|webp|avif)$/;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Return items', matches) },
  { name: 'description', content: 'Return items of your order.' },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { call: callShop, visitor } = context.get(pageContext);
  const id = params['id'] ?? '';
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent(`/dashboard/orders/${id}/return`)}`);
  const [found, withdrawals] = await Promise.all([
    callShop('GET /orders/{id}/returns', { params: { id } }),
    // The page works without it.
    callShop('GET /orders/{id}/withdrawals', { params: { id } }).catch(() => null),
  ]).catch(rethrowAsNotFound);
  return { id, found, canWithdraw: withdrawals?.problem === null };
}

const nameOf = (position: number): string => `units-${position}`;
const nameOfWish = (position: number): string => `wanted-${position}`;

function readRequest(data: FormData, { lines }: ReturnsOfOrder) {
  const units = lines.map(({ position }) => {
    const wanted = data.get(nameOfWish(position));
    return {
      position,
      quantity: Number(readField(data, nameOf(position))),
      ...(typeof wanted === 'string' && wanted !== '' && { wanted_variant_id: wanted }),
    };
  });
  return {
    cause: readField(data, 'cause') === 'courtesy' ? ('courtesy' as const) : ('defect' as const),
    lines: units.filter(({ quantity }) => quantity !== 0),
    reason: readField(data, 'reason').trim(),
  };
}

const listPictures = (data: FormData): readonly File[] =>
  data.getAll('pictures').filter((one): one is File => one instanceof File && one.size > 0);

/** Null: they can be uploaded, as far as the browser knows. */
function findPictureProblem(pictures: readonly File[]): string | null {
  if (pictures.length > MAX_PICTURES) return `Choose at most ${MAX_PICTURES} pictures`;
  const wrong = pictures.find(({ type }) => type !== '' && !PICTURE_FORMATS.accept.split(',').includes(type));
  if (wrong !== undefined) return `${wrong.name} is not a picture. Choose ${PICTURE_FORMATS.formats}`;
  const large = pictures.find(({ size, type }) => size > MAX_PICTURE_MB * MB && !SCALABLE.test(type));
  return large === undefined ? null : `${large.name} is larger than ${MAX_PICTURE_MB} MB. Choose a smaller one`;
}

/** RET-07: requests a return of shipped items. */
export default function NewReturnPage() {
  const { canWithdraw, found, id } = useLoaderData<typeof loader>();
  const back = <BackLink to={`/dashboard/orders/${id}`} text="Your order" />;
  return (
    <TitledPage above={back} title="Return items">
      {canWithdraw && (
        <Notice
          actions={
            <ButtonLink to={`/withdrawal?order=${id}`} variant="secondary">
              Withdraw from contract here
            </ButtonLink>
          }
        >
          You can still withdraw from the contract without giving a reason.
        </Notice>
      )}
      {found.causes.length === 0 ? (
        <EmptyState
          title="Nothing of this order can be returned now."
          action={<ButtonLink to={`/dashboard/orders/${id}`}>View your order</ButtonLink>}
        />
      ) : (
        <ReturnForm orderId={id} found={found} />
      )}
    </TitledPage>
  );
}

/** What the buyer wants instead of the units of a line: a refund, or another variant. */
function Wish({ name, position, variants }: Pick<ReturnsOfOrder['lines'][number], 'name' | 'position' | 'variants'>) {
  if (variants.length === 0) return null;
  return (
    <Select
      label={`Instead of ${name}`}
      name={nameOfWish(position)}
      hint="If we exchange it, you pay the difference, or we refund it."
      defaultValue=""
    >
      <option value="">A refund</option>
      {variants.map(({ name: variant, variant_id: id }) => (
        <option key={id} value={id}>
          {variant}
        </option>
      ))}
    </Select>
  );
}

interface CauseFieldsProps {
  readonly causes: ReturnsOfOrder['causes'];
  /** Attributes of the field of pictures. */
  readonly pictures: Omit<ComponentProps<typeof Field>, 'label'>;
  readonly children: ReactNode;
}

/** Why the items are returned; a defect can be shown in pictures. */
function CauseFields({ causes, pictures, children }: CauseFieldsProps) {
  const [cause, setCause] = useState(causes[0]);
  return (
    <>
      <Select
        label="Reason"
        name="cause"
        value={cause}
        onChange={({ target }) => setCause(causes.find((one) => one === target.value))}
      >
        {causes.map((one) => (
          <option key={one} value={one}>
            {CAUSE_TEXTS[one]}
          </option>
        ))}
      </Select>
      {children}
      {cause === 'defect' && (
        <Field
          {...pictures}
          label="Pictures of the defect (optional)"
          type="file"
          multiple
          accept={PICTURE_FORMATS.accept}
          hint={`Up to ${MAX_PICTURES}, each up to ${MAX_PICTURE_MB} MB. You can also add them later. We remove the place and time at which they were taken.`}
        />
      )}
    </>
  );
}

function ReturnForm({ orderId, found }: { readonly orderId: string; readonly found: ReturnsOfOrder }) {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, failure, bind, messageOf } = useCallForm({
    log: 'the return was not requested',
    read: (form) => {
      const data = new FormData(form);
      return { ...readRequest(data, found), pictures: listPictures(data) };
    },
    check: ({ lines, pictures, reason }) => ({
      ...Object.fromEntries(
        lines.flatMap(({ position, quantity }) => {
          const left = found.lines.find((line) => line.position === position)?.quantity ?? 0;
          const isPossible = Number.isInteger(quantity) && quantity >= 1 && quantity <= left;
          return isPossible ? [] : [[nameOf(position), `Enter a number from 0 to ${left}`]];
        }),
      ),
      lines: lines.length === 0 ? 'Enter how many units you return' : null,
      reason: reason === '' ? 'Describe why you return them' : null,
      pictures: findPictureProblem(pictures),
    }),
    send: async ({ pictures, ...body }) => {
      const made = await call('POST /orders/{id}/returns', { params: { id: orderId }, body });
      // Its page uploads them, and says which ones failed.
      handPictures(made.return.id, pictures);
      await navigate(`/dashboard/returns/${made.return.id}`);
    },
  });
  const noUnits = messageOf('lines');
  return (
    <Stack as="form" ref={ref} noValidate onSubmit={submit} gap={24} className="measure">
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <Section title="Items" gap={12}>
        {found.lines.map(({ name, position, quantity, variants }, index) => (
          <Fragment key={position}>
            <Field
              {...bind(nameOf(position))}
              message={bind(nameOf(position)).message ?? (index === 0 ? noUnits : undefined)}
              isInvalid={bind(nameOf(position)).isInvalid || (index === 0 && noUnits !== undefined)}
              label={name}
              hint={`Up to ${quantity}`}
              type="number"
              min={0}
              max={quantity}
              inputMode="numeric"
              defaultValue={found.lines.length === 1 && quantity === 1 ? 1 : 0}
            />
            <Wish name={name} position={position} variants={variants} />
          </Fragment>
        ))}
      </Section>
      <CauseFields causes={found.causes} pictures={bind('pictures')}>
        <TextArea
          {...bind('reason')}
          label="Description"
          rows={5}
          required
          maxLength={MAX_REASON}
          hint="What is wrong, and since when? Never share your wallet’s recovery phrase."
        />
      </CauseFields>
      <FormActions>
        <Button type="submit" isBusy={isBusy} disabled={!isHydrated}>
          Request return
        </Button>
        <ButtonLink to={`/dashboard/orders/${orderId}`} variant="secondary">
          Cancel
        </ButtonLink>
      </FormActions>
      <NeedsScript />
    </Stack>
  );
}
