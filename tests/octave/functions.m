% SPDX-License-Identifier: GPL-3.0-or-later
% What run-octave runs, in a folder of its own.
addpath (fullfile (getenv ('TOP'), 'octave'));
models = fullfile (getenv ('TOP'), 'models');
ball = fullfile (models, 'bouncing-ball', 'bouncing-ball.xml');
passed = 0;
failed = 0;

function claim (what, holds)
  if ! holds
    printf ('FAIL %s\n', what);
    evalin ('base', 'failed++;');
  else
    evalin ('base', 'passed++;');
  end
end

nssim_call ('run', ball, '-q', '-o', 'a.csv');
nssim_call ('run', ball, '-q', '-o', 'a.h5');
a = nssim_read ('a.csv');
b = nssim_read ('a.h5');
claim ('rows', isequal (size (a.values), [2001, numel(a.labels)]));
claim ('CSV and HDF5 agree', isequal (a.values, b.values) && isequal (a.labels, b.labels) && isequal (a.time, b.time));
claim ('units', isequal (a.units, b.units));
[x, unit] = nssim_column (a, 'ball.x');
claim ('a column', x(1) == 1 && strcmp (unit, 'm'));
[~, unit] = nssim_column (a, 'ball.v_phi');
claim ('a unit of one component', strcmp (unit, 'rad/s'));
claim ('the certificate', a.certificate.impacts == 37 && b.certificate.impacts == 37);
hits = strcmp (a.events.kind, 'impact');
claim ('events', sum (hits) == 37 && isequal (a.events.impulse, b.events.impulse) && strcmp (a.events.interaction{1}, 'ground'));
claim ('restitution', max (abs (a.events.velocity_after(hits) + 0.9 * a.events.velocity_before(hits))) < 1e-12);
r = nssim_run (ball, 'e', 0.5, 'R', '200 mm');
given = containers.Map ();
for p = r.model.parameters(:)'
  given(p{1}.name) = p{1}.value;
end
claim ('parameters', given('e') == 0.5 && given('R') == 0.2);
try
  nssim_run ('none.xml');
  claim ('a missing model is refused', false);
catch e
  claim ('a missing model is refused', ! isempty (strfind (e.message, 'cannot open none.xml')) ...
    && isempty (strfind (e.message, 'nssim: ')) && strcmp (e.identifier, 'nssim:status66'));
end
try
  nssim_column (a, 'ball.xx');
  claim ('an unknown quantity is refused', false);
catch e
  claim ('an unknown quantity is refused', ! isempty (strfind (e.message, 'no quantity "ball.xx"')));
end
copyfile ('a.csv', 'lone.csv');
for name = {'none.csv', 'none.h5', 'lone.csv'}
  try
    nssim_read (name{1});
    claim ([name{1} ' is refused'], false);
  catch e
    lone = strcmp (name{1}, 'lone.csv');
    claim ([name{1} ' is refused, and why'], strncmp (e.message, [name{1} ': '], numel (name{1}) + 2) ...
      && xor (lone, ! isempty (strfind (e.message, 'no such file'))) && lone == ! isempty (strfind (e.message, 'lone.json is missing')));
  end
end
printf ('RESULT %d %d 0\n', passed, failed);
exit (failed > 0);
