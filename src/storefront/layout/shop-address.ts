export const SHOP_ADDRESS = '45 Elm Street, Kensington, London, UK';
