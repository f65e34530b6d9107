% SPDX-License-Identifier: GPL-3.0-or-later
% NSSIM_RUN  Run a model and return its result as nssim_read does.
%
%   r = nssim_run ('bouncing-ball.xml')
%   r = nssim_run ('bouncing-ball.xml', 'e', 0.8, 'R', '20 mm')     with parameters
%
% If nssim fails, nssim_run raises an error with the messages of nssim.
% To keep the output file or to use other options, call nssim_call and nssim_read:
%   nssim_call ('run', 'bouncing-ball.xml', '-q', '-o', 'ball.csv', '--t-end=2');  r = nssim_read ('ball.csv');
function r = nssim_run (model, varargin)
  if mod (numel (varargin), 2)
    error ('nssim:usage', 'nssim_run: each parameter needs a name and a value');
  end
  words = {};
  for i = 1:2:numel (varargin)
    value = varargin{i + 1};
    if isnumeric (value)
      value = sprintf ('%.17g', value);
    end
    words{end + 1} = sprintf ('--parameter=%s=%s', varargin{i}, value);
  end
  stem = tempname ();
  nssim_call ('run', '-q', words{:}, ['--output=' stem '.csv'], model);
  r = nssim_read ([stem '.csv']);
  delete ([stem '.*']);
end
