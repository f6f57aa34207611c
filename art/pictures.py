"""The list of pictures: every family in art/catalogue/ lists its products; this joins them.

A product is a dict:
  model    'phone.build': the function in art/models/phone.py
  params   what the model needs for this product
  colours  {'Sky Blue': {…}} in the catalogue's order, or {None: {…}} for a product of one look; its 'studio' changes the light of this colour
  views    {'back': {…}} in the gallery's order; a view's options go to the model and to the studio
  first    how many views the other colours get (1, 2 for phones, or all)
"""

import importlib
import pkgutil

import catalogue


def families():
    """{family: {slug: product}} of all modules in art/catalogue/."""
    found = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(catalogue.__path__)):
        found[module] = importlib.import_module(f'catalogue.{module}').PRODUCTS
    return found


def slug_of(colour):
    return colour.lower().replace(' ', '-')


def pictures(products):
    """Yield (id, slug, product, colour, view): id is 'slug/view' or 'slug/colour/view' for a colour after the first."""
    for slug, product in products.items():
        for index, colour in enumerate(product['colours']):
            names = list(product['views'])
            for view in names if index == 0 else names[: product.get('first', 1)]:
                name = f'{slug}/{view}' if index == 0 else f'{slug}/{slug_of(colour)}/{view}'
                yield name, slug, product, colour, view
