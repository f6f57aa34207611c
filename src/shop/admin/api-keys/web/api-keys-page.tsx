import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import type { ApiKey } from '#src/shop/api-keys/contract.ts';
import { listScopes, pickScopes, SCOPES } from '#src/shop/api-keys/scope.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import type { BadgeTone } from '#src/ui/display/badge.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DirectAction } from '../../kit/direct-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { ListRow, RowList } from '../../kit/row-list.tsx';
import { ShownOnce } from '../../kit/shown-once.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import styles from './api-keys-page.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('API keys · Back office', matches) },
  { name: 'description', content: 'Keys with which other systems call the API.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/api-keys', 'integrations');
  const listed = await read('GET /api-keys').catch(() => null);
  return { keys: listed?.api_keys ?? null };
}

const EXPIRIES = [
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['30', 'In 30 days'],
  ['', 'Never'],
] as const;

function readKey(data: FormData) {
  const scopes = data.getAll('scopes').filter((value) => typeof value === 'string');
  const days = readText(data, 'expires_in_days');
  return {
    name: readText(data, 'name'),
    scopes: pickScopes(scopes),
    expires_in_days: days === '' ? null : Number(days),
  };
}

/** OPS-19: API keys with scopes, for owners. */
export default function ApiKeysPage() {
  const { keys } = useLiveLoaderData<typeof loader>(['integrations']);
  const [created, setCreated] = useState<string | null>(null);
  return (
    <AdminFrame title="API keys">
      <p className="muted measure">
        With a key your bookkeeping, ERP or warehouse calls the API of the shop without a login. It may make only the
        calls of its scopes; <a href="/api/docs">the API documentation</a> lists them.
      </p>
      {created !== null && (
        <ShownOnce
          title="Your new key"
          text="Store it in the system that uses it, as a secret. It is not shown again."
          secret={created}
          contentName="key"
          onStored={() => setCreated(null)}
        />
      )}
      {keys === null && <ErrorState title="The keys could not be loaded." onRetry={() => void reloadPage()} />}
      {keys?.length === 0 && <EmptyState title="There are no keys yet. Create the first one below." />}
      {keys !== null && keys.length > 0 && (
        <RowList>
          {keys.map((key) => (
            <ListRow key={key.id} className={styles.key}>
              <KeyRow apiKey={key} />
            </ListRow>
          ))}
        </RowList>
      )}
      <Section title="Create a key" surface="outlined">
        <DirectAction
          button="Create key"
          meaning="Whoever has the key can use it for everything that is selected."
          done="Key created"
          onSubmit={async (data) => setCreated((await call('POST /api-keys', { body: readKey(data) })).key)}
        >
          <KeyFields />
        </DirectAction>
      </Section>
    </AdminFrame>
  );
}

function KeyFields() {
  return (
    <Stack className={styles.fields}>
      <Field label="Name" name="name" required maxLength={60} autoComplete="off" hint="The system that uses it" />
      <Select label="Expires" name="expires_in_days" defaultValue="365">
        {EXPIRIES.map(([days, text]) => (
          <option key={days} value={days}>
            {text}
          </option>
        ))}
      </Select>
      <Columns as="fieldset" width={20} gap={24} rowGap={4}>
        <legend className="strong">Scopes</legend>
        {listScopes().map((scope) => (
          <Checkbox key={scope} name="scopes" value={scope} hint={SCOPES[scope]}>
            {scope}
          </Checkbox>
        ))}
      </Columns>
    </Stack>
  );
}

const STATES: Readonly<Record<ApiKey['state'], { readonly text: string; readonly tone: BadgeTone }>> = {
  active: { text: 'Active', tone: 'good' },
  expired: { text: 'Expired', tone: 'neutral' },
  revoked: { text: 'Revoked', tone: 'neutral' },
  'owner-left': { text: 'Creator is no owner', tone: 'bad' },
};

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, name, hint, scopes, created_by: by, created_at: createdAt, state } = apiKey;
  return (
    <>
      <div>
        <p className="strong">{name}</p>
        <p className="muted small">{hint}</p>
        <p className="muted small">{scopes.join(', ')}</p>
      </div>
      <div>
        <p className="muted small">
          Created by {by}, <Moment at={createdAt} shows="day" />
        </p>
        <p className="muted small">
          {apiKey.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <Moment at={apiKey.last_used_at} shows="moment" />
            </>
          )}
        </p>
        <p className="muted small">
          {apiKey.expires_at === null ? (
            'Does not expire'
          ) : (
            <>
              {state === 'expired' ? 'Expired' : 'Expires'} <Moment at={apiKey.expires_at} shows="day" />
            </>
          )}
        </p>
      </div>
      <Row rowGap={4}>
        <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
        {state !== 'revoked' && (
          <ConfirmedAction
            button="Revoke"
            variant="quaternary"
            isDestructive
            question={`Revoke “${name}”?`}
            meaning={<p>Calls with this key are refused at once. You can’t undo this.</p>}
            confirm="Revoke key"
            done="Key revoked"
            onConfirm={() => call('DELETE /api-keys/{id}', { params: { id } })}
          />
        )}
      </Row>
    </>
  );
}
