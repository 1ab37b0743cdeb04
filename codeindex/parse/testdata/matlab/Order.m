classdef Order < handle
    % An order of some lines.
    properties
        lines = [];
        name = 'function quoted()';
    end

    methods
        function obj = Order(lines)
            obj.lines = lines;
        end

        % Adds up.
        function sum = total(obj)
            sum = 0;
            for line = obj.lines'
                if line > 0
                    sum = sum + with_tax(line);
                end
            end
        end
    end
end

%{
function commented()
end
%}

% Adds the tax.
function [taxed, rate] = with_tax(amount)
    rate = 0.19; % function not_this()
    taxed = amount .* (1 + rate);
end

function show
    disp("function also_quoted()");
end
