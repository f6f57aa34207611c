/** Who changes stock: a member of staff, or a named process, such as 'command line'. */
export type StockActor =
  | { readonly kind: 'staff'; readonly userId: string }
  | { readonly kind: 'process'; readonly name: string };
