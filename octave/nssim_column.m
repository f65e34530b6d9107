% SPDX-License-Identifier: GPL-3.0-or-later
% NSSIM_COLUMN  Return one column, and its unit, of a result of nssim_read or nssim_run.
%
%   [x, unit] = nssim_column (r, 'ball.x')
function [x, unit] = nssim_column (r, label)
  if strcmp (label, 'time')
    x = r.time;
    unit = 's';
    return
  end
  at = find (strcmp (r.labels, label), 1);
  if isempty (at)
    error ('nssim:quantity', '%s: no quantity "%s"; r.labels lists them', r.path, label);
  end
  x = r.values(:, at);
  unit = r.units{at};
end
