import type { WebhookEndpoint } from '#src/shop/webhooks/endpoints/contract.ts';
import { useNavigate } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import type { EndpointValue } from './endpoint-fields.tsx';

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onSecret: (secret: string) => void;
}

/** Test, enable, disable, new secret, delete. */
export function EndpointActions({ endpoint, onSecret }: EndpointActionsProps) {
  const { isBusy, run } = useQuickAction();
  const isHydrated = useHydrated();
  const navigate = useNavigate();
  const params = { id: endpoint.id };
  const isEnabled = endpoint.state === 'enabled';
  return (
    <Row>
      {isEnabled ? (
        <>
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={!isHydrated}
            onClick={() => void run(() => call('POST /webhooks/{id}/test', { params }), 'Test event is being sent')}
          >
            Send test event
          </Button>
          <ConfirmedAction
            button="Disable"
            question="Disable this endpoint?"
            meaning={<p>The shop sends nothing to it. Events that happen meanwhile are not sent later.</p>}
            confirm="Disable"
            done="Endpoint disabled"
            onConfirm={() => call('POST /webhooks/{id}/disable', { params })}
          />
        </>
      ) : (
        <Button
          variant="secondary"
          isBusy={isBusy}
          disabled={!isHydrated}
          onClick={() => void run(() => call('POST /webhooks/{id}/enable', { params }), 'Endpoint enabled')}
        >
          Enable
        </Button>
      )}
      <ConfirmedAction
        button="New secret"
        question="Create a new signing secret?"
        meaning={
          <p>
            For 24 hours requests are signed with both secrets. Store the new one in your receiver within that time.
          </p>
        }
        confirm="Create secret"
        done="Secret created"
        onConfirm={async () => onSecret((await call('POST /webhooks/{id}/rotate-secret', { params })).secret)}
      />
      <ConfirmedAction
        button="Delete"
        variant="quaternary"
        isDestructive
        question="Delete this endpoint?"
        meaning={<p>Its deliveries are deleted too, and what is pending is not sent. You can’t undo this.</p>}
        confirm="Delete endpoint"
        done="Endpoint deleted"
        onConfirm={async () => {
          await call('DELETE /webhooks/{id}', { params });
          await navigate('/admin/webhooks', { replace: true });
        }}
      />
    </Row>
  );
}

const toStored = ({ version, url, description, event_types }: WebhookEndpoint) => ({
  version,
  value: { url, description, event_types },
});

/** Changes of URL, description and events. */
export function EditEndpoint({ endpoint }: Pick<EndpointActionsProps, 'endpoint'>) {
  const params = { id: endpoint.id };
  const { value, set, messageOf, state } = useDocument({
    name: `endpoint_${endpoint.id}`,
    what: 'this endpoint',
    stored: toStored(endpoint),
    read: readAsIs<EndpointValue>,
    send: async (body, { version }) =>
      toStored((await call('PUT /webhooks/{id}', { params, body: { ...body, version } })).endpoint),
    saved: 'Endpoint saved',
  });
  return (
    <Section title="URL and events" surface="outlined">
      <p className="muted measure">Deliveries that are pending go to the new URL.</p>
      <DocumentForm document={state} actions={<DocumentActions document={state} save="Save endpoint" />}>
        <EndpointFields value={value} messageOf={messageOf} onChange={set} />
      </DocumentForm>
    </Section>
  );
}
