export const ADDRESS = '45 Elm Street, Kensington, London, UK';
