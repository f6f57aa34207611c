import { downloadText } from '../../imports/web/transfer-file.ts';

/** The entries that match as CSV. */
export const downloadAuditLog = (query: Readonly<Record<string, string>>): Promise<string> =>
  downloadText(`/api/exports/audit?${new URLSearchParams(query)}`);
