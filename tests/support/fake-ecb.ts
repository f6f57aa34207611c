/** A local server with the files of the European Central Bank, whose responses a test sets. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

/** Rates by day and currency. */
export type EcbDays = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A file in the form of the bank, with the days in this order. */
export function createEcbFile(days: EcbDays): string {
  const cubes = Object.entries(days).map(([day, rates]) => {
    const lines = Object.entries(rates).map(([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`);
    return `<Cube time="${day}">\n${lines.join('\n')}</Cube>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
${cubes.join('')}</Cube>
</gesmes:Envelope>
`;
}

export type EcbBehaviour = (response: ServerResponse) => void;

export const respondWithDays =
  (days: EcbDays): EcbBehaviour =>
  (response) =>
    response.end(createEcbFile(days));

export class FakeEcb {
  /** Names of the files that were requested: `daily` or `hist-90d`. */
  readonly requested: string[] = [];
  daily: EcbBehaviour = (response) => response.end();
  history: EcbBehaviour = (response) => response.end();
  url = '';

  readonly #server = createServer((request, response) => {
    const name = /^\/files\/eurofxref-(daily|hist-90d)\.xml$/.exec(request.url ?? '')?.[1];
    if (name === undefined) {
      response.writeHead(404).end();
      return;
    }
    this.requested.push(name);
    (name === 'daily' ? this.daily : this.history)(response);
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === 'object');
    this.url = `http://127.0.0.1:${address.port}/files`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
