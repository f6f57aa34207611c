/** Where returns are sent to, in lines. */
export const readReturnAddress = (
  { return_address: own }: { readonly return_address: string },
  { address, name }: { readonly address: string; readonly name: string },
): string => (own === '' ? [name, address].filter((line) => line !== '').join('\n') : own);
