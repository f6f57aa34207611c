-- Delivery times name the places for which they are, and their range. A written time becomes the note.
update content_sections set version = version + 1, body = body || jsonb_build_object(
  'dispatch', null,
  'times', coalesce((
    select jsonb_agg(
      jsonb_build_object(
        'area', area ->> 'area', 'regions', jsonb_build_array(), 'countries', jsonb_build_array(),
        'range', null, 'note', area ->> 'time'
      ) order by position
    )
    from jsonb_array_elements(body -> 'times') with ordinality as listed (area, position)
  ), jsonb_build_array())
)
where name = 'delivery';
