import { isPhoneNumber, normalisePhone } from '#src/shop/phone-number.ts';
import { isPostcode, normalisePostcode } from '#src/shop/postcodes.ts';

interface Address {
  readonly country: string;
  readonly postcode: string;
  readonly phone?: string | undefined;
}

export type AddressProblem = 'postcode' | 'phone';

/** The field that is not what it should be; null if none. The telephone number is optional. */
export function findAddressProblem({ country, postcode, phone = '' }: Address): AddressProblem | null {
  if (!isPostcode(postcode, country)) return 'postcode';
  return phone.trim() === '' || isPhoneNumber(phone) ? null : 'phone';
}

/** Postcode and telephone number in the form that is stored. What `findAddressProblem` refuses stays as it is. */
export const normaliseAddress = <Given extends Address>(address: Given): Given => ({
  ...address,
  postcode: normalisePostcode(address.postcode, address.country) ?? address.postcode,
  ...(address.phone !== undefined && { phone: normalisePhone(address.phone) }),
});
