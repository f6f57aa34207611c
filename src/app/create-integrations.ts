/** What connects the shop with other systems: webhooks and API keys. */
import { ApiKeys } from '#src/shop/api-keys/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { WebhookDeliveries } from '#src/shop/webhooks/deliveries/service.ts';
import type { WebhookDeliveriesOptions } from '#src/shop/webhooks/deliveries/service.ts';
import { WebhookEndpoints } from '#src/shop/webhooks/endpoints/service.ts';
import { WebhookEvents } from '#src/shop/webhooks/events/service.ts';
import type { SupportSlice } from './create-support.ts';
import type { Foundation } from './open-foundation.ts';
import type { Settings } from './settings.ts';

export interface Integrations {
  readonly webhookEvents: WebhookEvents;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly apiKeys: ApiKeys;
}

export function createIntegrations(
  { integrations, mode }: Settings,
  { clock, db, secrets, shopSettings }: Foundation,
  catalogue: Catalogue,
  { ticketClosed, ticketCreated, ticketReopened, ticketWritten }: SupportSlice,
  onDisabled: WebhookDeliveriesOptions['onDisabled'],
): Integrations {
  const rules = integrations.webhooks;
  const webhookEvents = new WebhookEvents({ db, clock, mode, shopSettings, catalogue });
  ticketCreated.on((tx, id) => webhookEvents.recordTicketEvent(tx, 'ticket.created', id));
  ticketWritten.on((tx, id, message) => webhookEvents.recordTicketEvent(tx, 'ticket.message_created', id, message));
  ticketClosed.on((tx, id) => webhookEvents.recordTicketEvent(tx, 'ticket.closed', id));
  ticketReopened.on((tx, id) => webhookEvents.recordTicketEvent(tx, 'ticket.reopened', id));
  return {
    webhookEvents,
    webhookEndpoints: new WebhookEndpoints({ db, clock, secrets, rules }),
    webhookDeliveries: new WebhookDeliveries({ db, clock, secrets, rules, onDisabled }),
    apiKeys: new ApiKeys({ db, clock, mode }),
  };
}
