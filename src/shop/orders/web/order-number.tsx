/** The number of an order, which is neither translated nor broken at its hyphen. */
export const OrderNumber = ({ number }: { readonly number: string }) => (
  <span translate="no" className="unbroken">
    {number}
  </span>
);
