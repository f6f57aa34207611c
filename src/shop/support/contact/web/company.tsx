import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';
import { phoneHref } from './phone-href.ts';

/** Address and legal identity of the shop, as far as they are set. */
export function Company({ shop }: { readonly shop: ShopDescription }) {
  const { address, company, contact_email: email, contact_phone: phone, name } = shop;
  const lines = [...new Set([name, company, address])].filter((line) => line !== '');
  const numbers = [
    ['Company number', shop.registration_number],
    ['Tax number', shop.tax_number],
  ].filter(([, number]) => number !== '');
  return (
    <>
      {(address !== '' || company !== '') && (
        <section>
          <h2>By post</h2>
          <address>
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        </section>
      )}
      {(email !== '' || phone !== '') && (
        <section>
          <h2>Directly</h2>
          <ul>
            {email !== '' && (
              <li>
                <a href={`mailto:${email}`}>{email}</a>
              </li>
            )}
            {phone !== '' && (
              <li>
                <a href={phoneHref(phone)}>{phone}</a>
              </li>
            )}
          </ul>
        </section>
      )}
      {numbers.length > 0 && (
        <section>
          <h2>Company details</h2>
          {numbers.map(([label, number]) => (
            <p key={label}>{`${label}: ${number}`}</p>
          ))}
        </section>
      )}
    </>
  );
}
