/** Downloads the entries that match as CSV. */
export async function downloadAuditLog(query: Readonly<Record<string, string>>): Promise<void> {
  const { downloadFile } = await import('#src/storefront/download-file.ts');
  await downloadFile(`/exports/audit?${new URLSearchParams(query)}`);
}
