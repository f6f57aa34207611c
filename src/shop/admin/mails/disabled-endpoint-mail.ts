/** Text of the mail to owners about an endpoint that the shop disabled. */
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

export interface DisabledEndpointFacts {
  /** Of the endpoint. */
  readonly url: string;
  readonly because: 'failing' | 'gone';
  /** Admin page of the endpoint. */
  readonly pageUrl: string;
}

const REASONS: Readonly<Record<DisabledEndpointFacts['because'], string>> = {
  failing: 'For three days every request to it failed.',
  gone: 'It returned the status 410, which means that it does not exist any more.',
};

export function writeDisabledEndpointMail({ url, because, pageUrl }: DisabledEndpointFacts): MailContents {
  return {
    subject: 'A webhook endpoint was disabled',
    title: 'A webhook endpoint was disabled',
    preview: REASONS[because],
    blocks: [
      { kind: 'text', text: `The shop sends no events to this endpoint any more. ${REASONS[because]}` },
      { kind: 'facts', facts: [{ label: 'Endpoint', value: url, isCode: true }] },
      { kind: 'text', text: 'Repair the receiver, then enable the endpoint and send the failed events again.' },
      { kind: 'link', label: 'Open endpoint', url: pageUrl },
    ],
    reason: 'You get this mail because you are an owner of the shop.',
  };
}
