% SPDX-License-Identifier: GPL-3.0-or-later
% NSSIM_CALL  Run the program nssim and return its standard output.
% If nssim fails, nssim_call raises an error with the messages of nssim.
%
%   text = nssim_call ('list', 'laws')
%
% The program must be on PATH; otherwise set the environment variable NSSIM to its path.
function text = nssim_call (varargin)
  program = getenv ('NSSIM');
  if isempty (program)
    program = 'nssim';
  end
  words = cellfun (@(w) ['''' strrep(w, '''', '''\''''') ''''], [{program} varargin], 'UniformOutput', false);
  said = tempname ();
  [status, text] = system (sprintf ('%s 2>''%s''', strjoin (words, ' '), said));
  sentences = '';
  if exist (said, 'file')
    sentences = strtrim (strrep (fileread (said), 'nssim: error: ', ''));
    delete (said);
  end
  if status ~= 0
    error (sprintf ('nssim:status%d', status), '%s', sentences);
  end
end
