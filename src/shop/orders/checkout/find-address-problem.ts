import { isPhoneNumber } from '#src/shop/phone-number.ts';
import { isPostcode } from '#src/shop/postcodes.ts';

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
